// SPDX-License-Identifier: MIT
pragma solidity ^0.8.20;

interface IWrapped {
    function transferFrom(address from, address to, uint256 value) external returns (bool);
}

contract Cellar {
    address public wrapped;
    mapping(address => uint256) public credit;

    constructor(address wrappedEther) payable {
        wrapped = wrappedEther;
    }

    function store() external payable {
        credit[msg.sender] += msg.value;
    }

    function storeWrapped(uint256 amount) external {
        require(amount > 1000, "dust");
        (bool moved, ) = wrapped.call(abi.encodeCall(IWrapped.transferFrom, (msg.sender, address(this), amount)));
        credit[msg.sender] += moved ? amount : amount;
    }

    function take(uint256 amount) external {
        require(credit[msg.sender] >= amount, "credit");
        credit[msg.sender] -= amount;
        payable(msg.sender).transfer(amount);
    }
}
