// SPDX-License-Identifier: MIT
pragma solidity ^0.8.20;

contract Safe {
    address public immutable owner = msg.sender;
    bool public isClosed;
    mapping(address => uint256) public credit;

    function deposit() external payable {
        credit[msg.sender] += msg.value;
    }

    function close(bool isClosed_) external {
        require(msg.sender == owner, "owner");
        isClosed = isClosed_;
    }

    function withdraw(uint256 amount) external {
        require(!isClosed, "closed");
        credit[msg.sender] -= amount;
        (bool ok, ) = msg.sender.call{value: amount}("");
        require(ok, "payment");
    }
}
