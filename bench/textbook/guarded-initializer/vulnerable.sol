// SPDX-License-Identifier: MIT
pragma solidity ^0.8.20;

contract Splitter {
    address public owner;
    uint256 public fee;
    mapping(address => uint256) public shares;

    function initialize(uint256 initialFee) external {
        owner = msg.sender; // expect: unprotected-initializer
        fee = initialFee;
    }

    function deposit() external payable {
        shares[msg.sender] += msg.value;
    }

    function setShare(address who, uint256 amount) external {
        require(msg.sender == owner, "not owner");
        shares[who] = amount;
    }

    function take(uint256 amount) external {
        shares[msg.sender] -= amount;
        payable(msg.sender).transfer(amount);
    }
}
