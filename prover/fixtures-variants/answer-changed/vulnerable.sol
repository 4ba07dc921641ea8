// SPDX-License-Identifier: MIT
pragma solidity ^0.8.20;

interface IVisitor {
    function isMember() external returns (bool);
    function offer() external view returns (uint256);
    function tier() external view returns (uint8);
    function recipient() external returns (address);
}

contract Ballroom {
    bool public isHost;
    uint256 public seat;

    function enter(uint256 wanted) external {
        IVisitor visitor = IVisitor(msg.sender);
        if (!visitor.isMember()) {
            seat = wanted;
            isHost = visitor.isMember();
        }
    }
}

contract Auction {
    uint256 public highest = 70;

    function bid() external {
        require(IVisitor(msg.sender).offer() > highest, "too low");
        highest = IVisitor(msg.sender).offer();
    }
}

contract Discount {
    mapping(address => uint8) public tierOf;

    function register() external {
        require(IVisitor(msg.sender).tier() < 3, "not for sale");
        tierOf[msg.sender] = IVisitor(msg.sender).tier();
    }
}

contract Refunds {
    mapping(address => bool) public isBlocked;
    address public lastPaid;

    constructor() {
        isBlocked[address(1)] = true;
    }

    function refund() external {
        require(!isBlocked[IVisitor(msg.sender).recipient()], "blocked");
        lastPaid = IVisitor(msg.sender).recipient();
    }
}

contract Counter {
    uint256 public total = 40;
    uint256 public limit = 50;

    function add() external {
        require(total + IVisitor(msg.sender).offer() <= limit, "full");
        total += IVisitor(msg.sender).offer();
    }
}
